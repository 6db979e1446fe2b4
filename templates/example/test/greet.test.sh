#!/bin/sh
# What the example mission has to make true.
set -eu

expect() {
  if [ "$1" != "$2" ]; then
    echo "expected '$2', got '$1'" >&2
    exit 1
  fi
}

expect "$(sh src/greet.sh Ada)" 'Hello, Ada!'
expect "$(sh src/greet.sh 'Ada Lovelace')" 'Hello, Ada Lovelace!'
expect "$(sh src/greet.sh)" 'Hello, world!'
echo ok
