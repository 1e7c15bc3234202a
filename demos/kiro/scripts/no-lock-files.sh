#!/bin/sh
# A hook in Kiro's own way: the payload on stdin, exit 2 with the reason on stderr.
case $(cat) in
*package-lock.json*)
  echo "package-lock.json is written by npm alone" >&2
  exit 2
  ;;
esac
