// A number is followed as long as it is copied; deciding by it is said not to be.
// teasel: strategies=optimal,dfs flags=--solver-check native=no
// expect: verdict ~ incomplete
// expect: note ~ floating point is not followed
#include <teasel.h>

struct point {
    double x, y;
};

static double pick(struct point p, int first) { return first ? p.x : p.y; }

int main(void) {
    struct point p = {0, 0};
    TEASEL_INPUT(p.x);
    if (pick(p, 1) > 1.5)
        return 1;
    return 0;
}
