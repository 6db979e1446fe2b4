// The participant's end of the kernel port: a shell script that every cell finds as `/cell/.lazarus/port`, so that no
// agent needs a library to say that it lives, that it is done or that it is stuck.

export const PORT_CLIENT = `#!/bin/sh
# Speaks to the kernel. The port is the open descriptor LAZARUS_PORT_FD (3): one JSON text per line.
#   port heartbeat <seq>          still here; <seq> is a number that rises
#   port done    < done.json      the work is done, and this is the claim
#   port blocked < blocked.json   cannot go on, and this is the question
# Or leave them as $HOME/done.json and $HOME/blocked.json: read at the end, where nothing came through the port.
# The same by hand: {"kind":"done","body":{...}}, or {"kind":"done","base64":"<a JSON text in base64>"}.
set -eu
case "\${1:-}" in
  heartbeat) printf '{"kind":"heartbeat","body":{"seq":%d}}\\n' "$2" >&3 ;;
  done | blocked) printf '{"kind":"%s","base64":"%s"}\\n' "$1" "$(base64 -w 0)" >&3 ;;
  *) echo 'usage: port heartbeat <seq> | port done < done.json | port blocked < blocked.json' >&2; exit 2 ;;
esac
`;
