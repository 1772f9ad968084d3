// The names of CREST, for programs written for that tool.
#ifndef TEASEL_CREST_H
#define TEASEL_CREST_H

void __CrestUChar(unsigned char *x);
void __CrestUShort(unsigned short *x);
void __CrestUInt(unsigned *x);
void __CrestChar(char *x);
void __CrestShort(short *x);
void __CrestInt(int *x);

#define CREST_unsigned_char(x) __CrestUChar(&(x))
#define CREST_unsigned_short(x) __CrestUShort(&(x))
#define CREST_unsigned_int(x) __CrestUInt(&(x))
#define CREST_char(x) __CrestChar(&(x))
#define CREST_short(x) __CrestShort(&(x))
#define CREST_int(x) __CrestInt(&(x))

#endif
