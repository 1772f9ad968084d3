# Commands for gdb while it replays a bug (`teasel replay --gdb` loads this file).
#
#     teasel-threads       lists the threads of the program: where each is, which step comes next
#     teasel-thread N      selects thread N: bt, up, info locals work as usual
#     teasel-back          selects the running thread again
#
# The program's threads are fibers, so gdb's own `info threads` shows only one.
import gdb

FIBERS = 0x61000000 + 0x400000  # TSL_FIBERS_ADDR and TSL_FIBER_STRIDE in src/abi/layout.h
FIBER_SIZE = 1024
RUNTIME = ("src/rt/",)


def fiber(number):
    kind = gdb.lookup_type("tslrt_fiber").pointer()
    return gdb.Value(FIBERS + number * FIBER_SIZE).cast(kind).dereference()


def state():
    kind = gdb.lookup_type("tslrt_state").pointer()
    return gdb.Value(0x61000000).cast(kind).dereference()


def numbers():
    s = state()
    return [int(s["threads"]["fibers"][i]) for i in range(int(s["run"]["count"]["fibers"]))]


def running():
    return int(state()["run"]["self"]["id"])


def event_name(kind):
    # gdb prints enumerators by name: TSL_EV_LOCK -> lock
    text = str(gdb.Value(kind).cast(gdb.lookup_type("enum tsl_event_kind")))
    return text.replace("TSL_EV_", "").lower().replace("_", "-")


def is_runtime(frame):
    table = frame.find_sal().symtab
    return table is not None and table.filename.startswith(RUNTIME)


def leave_runtime():
    """Selects the innermost frame that the user wrote."""
    frame = gdb.newest_frame()
    while frame is not None and (is_runtime(frame) or frame.find_sal().symtab is None):
        frame = frame.older()
    if frame is not None:
        frame.select()


class Look:
    """Loads the registers of another thread, and restores them at the end."""

    saved = None

    @staticmethod
    def set_registers(values):
        gdb.newest_frame().select()
        for name, value in values.items():
            gdb.execute("set $%s = %d" % (name, value))

    @staticmethod
    def to(number):
        Look.back()
        if number == running():
            return
        sp = int(fiber(number)["context"]["sp"])
        stack = gdb.Value(sp).cast(gdb.lookup_type("unsigned long").pointer())
        # What tslrt_switch pushed (src/rt/fiber.c).
        if "x86-64" in gdb.selected_inferior().architecture().name():
            values = {"rsp": sp + 56, "rbp": int(stack[5]), "rip": int(stack[6])}
        else:
            values = {"sp": sp + 160, "x29": int(stack[0]), "pc": int(stack[1])}
        gdb.newest_frame().select()
        Look.saved = {n: int(gdb.parse_and_eval("$" + n)) for n in values}
        Look.set_registers(values)

    @staticmethod
    def back():
        if Look.saved:
            Look.set_registers(Look.saved)
            Look.saved = None


class Threads(gdb.Command):
    """Lists the threads of the program under test."""

    def __init__(self):
        super().__init__("teasel-threads", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        Look.back()
        here = running()
        for number in numbers():
            f = fiber(number)
            ended = int(f["state"]) == 2
            what = "ended" if ended else "runs" if number == here else \
                "stands before " + event_name(int(f["pend"]["kind"]))
            print("%s T%d %s" % ("*" if number == here else " ", number, what))
            if not ended and bool(f["thread"]["started"]):
                Look.to(number)
                leave_runtime()
                print("     " + gdb.execute("frame", to_string=True).splitlines()[0])
                Look.back()
        leave_runtime()


class Thread(gdb.Command):
    """Looks at thread N of the program under test."""

    def __init__(self):
        super().__init__("teasel-thread", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if not argument.strip().lstrip("T").isdigit():
            raise gdb.GdbError("which one?  teasel-threads lists them")
        number = int(argument.strip().lstrip("T"))
        if number not in numbers():
            raise gdb.GdbError("there is no thread %d" % number)
        Look.to(number)
        leave_runtime()
        gdb.execute("frame")


class Back(gdb.Command):
    """Looks at the running thread again."""

    def __init__(self):
        super().__init__("teasel-back", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        Look.back()
        leave_runtime()
        gdb.execute("frame")


class Bug(gdb.Breakpoint):
    """Stops where the bug is; the user's own frame is selected."""

    def stop(self):
        return True


def on_stop(event):
    if isinstance(event, gdb.BreakpointEvent) and any(isinstance(b, Bug) for b in event.breakpoints):
        leave_runtime()
        gdb.execute("frame")
        print("the program's threads: teasel-threads, teasel-thread N, teasel-back")


def on_continue(event):
    # The program runs on, so the saved registers are stale and must not be restored.
    Look.saved = None


Threads()
Thread()
Back()
Bug("teasel_bug")
gdb.events.stop.connect(on_stop)
gdb.events.cont.connect(on_continue)
