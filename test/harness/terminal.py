"""Runs a program in a pseudo-terminal: terminal.py COLUMNS ROWS PROGRAM ARGUMENT...

Each line of standard input is a JSON string to type, or [COLUMNS, ROWS] for a resized window.
Copies what the program prints, and exits with its code, or with 128 and the number of the signal that ended it.
"""
import fcntl, json, os, pty, select, struct, sys, termios


def resize(terminal, columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))


columns, rows, *command = sys.argv[1:]
child, terminal = pty.fork()
if child == 0:
    resize(0, columns, rows)
    os.execvp(command[0], command)

controls = [sys.stdin]
while True:
    ready, _, _ = select.select([terminal, *controls], [], [])
    if sys.stdin in ready:
        line = sys.stdin.readline()
        control = json.loads(line) if line else None
        if control is None:
            controls = []
        elif isinstance(control, str):
            os.write(terminal, control.encode())
        else:
            resize(terminal, *control)
    if terminal in ready:
        try:
            printed = os.read(terminal, 65536)
        except OSError:
            # Linux reports the end of a terminal as an error.
            printed = b""
        if not printed:
            break
        os.write(1, printed)

_, status = os.waitpid(child, 0)
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
