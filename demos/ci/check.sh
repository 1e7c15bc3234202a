#!/bin/sh
# For any CI: fails on errors and warnings, and leaves a report that most CI systems can show.
#
#   check.sh [FILE...]     without FILE: every config of the repository
set -eu
exec hookctl validate --strict --format text --format junit="${REPORT:-hookctl.xml}" "$@"
