"""Asks hookctl about one event after another, through one process that stays: `hookctl run --stream`.

    python3 stream.py AGENT < commands       one shell command a line; prints "go" or "no: <reason>" for each

$HOOKCTL is the program, hookctl by default. Where the stream does not answer as it must, a run of its own is asked; where that one has
no answer either, the answer is no.
"""

import json
import os
import select
import subprocess
import sys
import time

HOOKCTL = os.environ.get("HOOKCTL") or "hookctl"
DEADLINE_SECONDS = float(os.environ.get("WRAPPER_WAIT") or 60)
# hookctl answers within its deadline. This is for one that does not.
PATIENCE_SECONDS = DEADLINE_SECONDS + 5
DEADLINE = ["--deadline", f"{DEADLINE_SECONDS:g}s"]
ACTIONS = (None, "allow", "deny", "ask", "defer", "stop")


class Hooks:
    def __init__(self, configs):
        self.configs = configs
        self.asked = 0
        self.child = None

    def ask(self, event):
        """The verdict on an event. It never raises: what is not known is denied."""
        try:
            return self._ask_stream(event)
        except (OSError, ValueError):
            self.close()
        try:
            return self._ask_cold(event)
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            return {"event": event["event"], "action": "deny", "reason": f"hookctl has no answer: {error}"}

    def close(self):
        if self.child is None:
            return
        for pipe in (self.child.stdin, self.child.stdout):
            try:
                pipe.close()
            except OSError:
                pass
        self.child.terminate()
        try:
            self.child.wait(5)
        except subprocess.TimeoutExpired:
            self.child.kill()
        self.child = None

    def _ask_stream(self, event):
        if self.child is None:
            self.child = subprocess.Popen(
                [HOOKCTL, "run", "--stream", *DEADLINE, *self.configs],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        self.asked += 1
        self.child.stdin.write(json.dumps({**event, "id": self.asked}).encode() + b"\n")
        self.child.stdin.flush()
        verdict = checked(self._read_line(), event)
        if verdict.pop("id", None) != self.asked:
            raise ValueError("the answer to another event")
        return verdict

    def _read_line(self):
        """One event at a time: the next line is the answer."""
        end = time.monotonic() + PATIENCE_SECONDS
        line = b""
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([self.child.stdout], [], [], max(0, end - time.monotonic()))
            piece = os.read(self.child.stdout.fileno(), 65536) if ready else b""
            if not piece:
                raise ValueError("no answer")
            line += piece
        return line

    def _ask_cold(self, event):
        ran = subprocess.run(
            [HOOKCTL, "run", *DEADLINE, *self.configs],
            input=json.dumps(event).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE_SECONDS,
        )
        verdict = checked(ran.stdout, event)
        blocks = verdict.get("action") in ("deny", "stop", "defer")
        if ran.returncode != (2 if blocks else 0):
            raise ValueError(f"exit code {ran.returncode}")
        return verdict


def checked(line, event):
    """A verdict that can be trusted. Raises ValueError for anything else."""
    verdict = json.loads(line)
    if not isinstance(verdict, dict) or verdict.get("action") not in ACTIONS:
        raise ValueError("no verdict")
    if verdict.get("event") != event["event"] and verdict.get("action") != "deny":
        raise ValueError("the verdict on another event")
    return verdict


def main(configs):
    hooks = Hooks(configs)
    for line in sys.stdin:
        tool = {"name": "bash", "input": {"command": line.rstrip("\n")}}
        verdict = hooks.ask({"event": "preToolCall", "cwd": os.getcwd(), "tool": tool})
        # A real wrapper asks its user at "ask", and runs the rewritten input where there is one.
        allowed = verdict.get("action") in (None, "allow")
        print("go" if allowed else f"no: {verdict.get('reason')}", flush=True)
    hooks.close()


if __name__ == "__main__":
    main(sys.argv[1:])
