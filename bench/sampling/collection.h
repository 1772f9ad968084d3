// The test driver of the RAPOS paper (Sen, ASE 2007, section 5.1) for a collection that is
// locked from outside: two objects, seven threads counting main, each calling one method.
//
// Before it includes this file, a program defines
//
//     collection              a struct with the field `lock`
//     put drop has wipe       operations on a collection whose lock is held
//     cursor, begin, next     a walk over a collection; next returns END, ITEM or CHANGED
//     COPIES                  does add_all first copy the other collection into an array?
//
// As in Java every method locks its own object and nothing else.  The other object, which is an
// argument, is walked without its lock, unless a method of it is called.  A walk notices when the
// object was changed meanwhile, and the method ends (-DDEFECT: an assertion fails).  Data that is
// walked without a lock is atomic here, because orders are sampled, not data races.  Nothing is
// freed before the end, because Java has a garbage collector.
#ifndef SAMPLING_COLLECTION_H
#define SAMPLING_COLLECTION_H

enum { METHODS = 7, MOST = 8 };

static collection one = {.lock = PTHREAD_MUTEX_INITIALIZER};
static collection two = {.lock = PTHREAD_MUTEX_INITIALIZER};

#ifndef NEXT_OF_OTHER
#define NEXT_OF_OTHER next
#endif

// Java throws ConcurrentModificationException, which is not caught.
static void changed_meanwhile(void) {
#ifdef DEFECT
    assert(!"the other collection was changed meanwhile");
#endif
}

static void lock(collection *c) { pthread_mutex_lock(&c->lock); }
static void unlock(collection *c) { pthread_mutex_unlock(&c->lock); }

static void add(collection *c, int value) {
    lock(c);
    put(c, value);
    unlock(c);
}

static void clear(collection *c) {
    lock(c);
    wipe(c);
    unlock(c);
}

static int contains(collection *c, int value) {
    lock(c);
    int found = has(c, value);
    unlock(c);
    return found;
}

static void remove_one(collection *c, int value) {
    lock(c);
    drop(c, value);
    unlock(c);
}

static int to_array(collection *c, int *values) {
    int count = 0;
    lock(c);
    for (cursor at = begin(c); next(&at, &values[count]) == ITEM;)
        count++;
    unlock(c);
    return count;
}

static void add_all(collection *c, collection *other) {
    lock(c);
    if (COPIES) {
        int values[MOST], count = to_array(other, values);
        for (int i = 0; i < count; i++)
            put(c, values[i]);
    } else {
        int value, met;
        cursor at = begin(other);
        while ((met = NEXT_OF_OTHER(&at, &value)) == ITEM)
            put(c, value);
        if (met == CHANGED)
            changed_meanwhile();
    }
    unlock(c);
}

static int contains_all(collection *c, collection *other) {
    int value, met, all = 1;
    lock(c);
    cursor at = begin(other);
    while (all && (met = NEXT_OF_OTHER(&at, &value)) != END) {
        if (met == CHANGED) {
            changed_meanwhile();
            break;
        }
        all = has(c, value);
    }
    unlock(c);
    return all;
}

static void remove_all(collection *c, collection *other) {
    int values[MOST], count = 0;
    lock(c);
    for (cursor at = begin(c); next(&at, &values[count]) == ITEM;)
        count++;
    for (int i = 0; i < count; i++)
        if (contains(other, values[i]))
            drop(c, values[i]);
    unlock(c);
}

// One of three elements, the same in every run.
static int element_of(int method) { return (method * 5 + 1) % 3; }

// The arguments that main passes to a thread, field by field.
typedef struct {
    collection *of, *other;
    int method;
} job;

static job jobs[METHODS];

static void *call(void *arg) {
    job *j = arg;
    collection *of = j->of, *other = j->other;
    int method = j->method, value = element_of(method);
    switch (method) {
    case 0:
        add(of, value);
        break;
    case 1:
        add_all(of, other);
        break;
    case 2:
        clear(of);
        break;
    case 3:
        contains(of, value);
        break;
    case 4:
        contains_all(of, other);
        break;
    case 5:
        remove_one(of, value);
        break;
    default:
        remove_all(of, other);
        break;
    }
    return NULL;
}

static job *job_of(int method) {
    job *j = &jobs[method];
    j->of = method % 2 ? &two : &one;
    j->other = method % 2 ? &one : &two;
    j->method = method;
    return j;
}

int main(void) {
    pthread_t thread[METHODS - 1];
    for (int i = 0; i < METHODS - 1; i++)
        pthread_create(&thread[i], NULL, call, job_of(i));
    call(job_of(METHODS - 1));
    for (int i = 0; i < METHODS - 1; i++)
        pthread_join(thread[i], NULL);
    return 0;
}

#endif
