"""Denies a recursive and forced rm. Plain Python 3, no packages."""

import json
import re
import sys

command = json.load(sys.stdin.buffer)["tool"]["input"]["command"]

command = re.sub(r"\\\n", " ", command)  # a line that goes on
command = re.sub(r"""["'\\]""", "", command)  # "rm" -rf, \rm -rf
found = any(
    re.search(r"(^|[\s/])rm\s", part)
    and re.search(r"\s(-\w*[rR]|--r)", part)
    and re.search(r"\s(-\w*f|--f)", part)
    for part in re.split(r"[;&|()`\n\r]", command)
)

if found:
    print(json.dumps({"action": "deny", "reason": "rm -rf is not allowed: remove files by name"}))
