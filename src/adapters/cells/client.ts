// The participant's end of the kernel port: a shell script that every cell finds as `/cell/.lazarus/port`, so that no
// agent needs a library to say that it lives, that it is done or that it is stuck, or to ask for more.
import { ASKED_KINDS } from '../../kernel/course/classes.ts';

export const PORT_CLIENT = `#!/bin/sh
# Speaks to the kernel. The port is the open descriptor LAZARUS_PORT_FD (3): one JSON text per line.
#   port heartbeat <seq>          still here; <seq> is a number that rises
#   port done    < done.json      the work is done, and this is the claim
#   port blocked < blocked.json   cannot go on, and this is the question
#   port request <what> [<target>]  may I? Prints the answer; 0 when it is granted, 1 when it is refused.
#                                 <what>: host (<target>: name:port), route (its name), ${ASKED_KINDS.join(', ')}
# Or leave them as $HOME/done.json and $HOME/blocked.json: read at the end, where nothing came through the port.
# The same by hand: {"kind":"done","body":{...}}, or {"kind":"done","base64":"<a JSON text in base64>"}; and
# {"kind":"note","body":{"text":"..."}}, for the people who look at this attempt later.
# Who has a listener can say all of it there as well: the same lines by POST to http://127.0.0.1:3128/_port, MCP at /_port/mcp.
set -eu
case "\${1:-}" in
  heartbeat) printf '{"kind":"heartbeat","body":{"seq":%d}}\\n' "$2" >&3 ;;
  done | blocked) printf '{"kind":"%s","base64":"%s"}\\n' "$1" "$(base64 -w 0)" >&3 ;;
  request)
    # What would have to be quoted in JSON is no name of anything.
    case "\${2:-}\${3:-}" in '' | *[!A-Za-z0-9_.:-]*) echo 'port: no name that could be asked for' >&2; exit 2 ;; esac
    printf '{"kind":"request","body":{"what":"%s","target":"%s"}}\\n' "$2" "\${3:-}" >&3
    read -r answer <&3
    printf '%s\\n' "$answer"
    case "$answer" in '{"is":"granted"'*) ;; *) exit 1 ;; esac
    ;;
  *) echo 'usage: port heartbeat <seq> | port done < done.json | port blocked < blocked.json | port request <what> [<target>]' >&2; exit 2 ;;
esac
`;
