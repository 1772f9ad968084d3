// The server of the tool.
#ifndef TSLRT_SERVE_H
#define TSLRT_SERVE_H

void tslrt_serve(void);
void tslrt_publish(void); // the Trace is complete

#endif
