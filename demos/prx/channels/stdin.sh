#!/bin/sh
cat >stdin.json
