#!/usr/bin/env python3
"""Prints a program with six hundred places that race, among functions enough to make names slow to find."""

FUNCTIONS, PLACES, OTHERS = 60, 10, 300

print("#include <pthread.h>")
print(f"static int v[{FUNCTIONS * PLACES}];")
for k in range(OTHERS):
    print(f"int other_{k}(int a) {{ return a * {k}; }}")
for k in range(FUNCTIONS):
    lines = "\n".join(f"    v[{k * PLACES + j}] = v[{(k * PLACES + 7 * j) % (FUNCTIONS * PLACES)}] + 1;" for j in range(PLACES))
    print(f"static void part_{k}(void) {{\n{lines}\n}}")
calls = "\n".join(f"    part_{k}();" for k in range(FUNCTIONS))
print(f"static void *run(void *arg) {{\n{calls}\n    return arg;\n}}")
print("int main(void) {")
print("    pthread_t t[3];")
print("    for (int i = 0; i < 3; i++)\n        pthread_create(&t[i], 0, run, 0);")
print("    for (int i = 0; i < 3; i++)\n        pthread_join(t[i], 0);")
print("    return 0;\n}")
