// The agents of a week, all one program: what it does stands in the goal that it is given. It writes its note, at once or when
// somebody lets it go, or fails, or writes where it may not, or nothing, or what does not pass, or never ends; and prints what
// it finds in its environment, for that is what a curious one would do.
export const AGENT_PATH = 'tools/example-agent.sh';

export type Manner = 'good' | 'slow' | 'patient' | 'endless' | 'failing' | 'straying' | 'idle' | 'wrong';

/** `sleeps`: what the patient ones and the endless ones sleep for, with the number of the note behind it. */
export function agentScript(sleeps: { readonly patient: string; readonly endless: string }): string {
  return `#!/bin/sh
set -u
env
ls -la / "$HOME" /home /root /tmp 2>&1
task=$(grep -o 'week: note [a-z0-9]* by a [a-z]* agent' /cell/.lazarus/brief.md | head -n 1)
note=$(echo "$task" | cut -d ' ' -f 3)
manner=$(echo "$task" | cut -d ' ' -f 6)
mkdir -p notes
case $manner in
  failing) echo "it cannot be done" >&2; exit 3 ;;
  straying) mkdir -p elsewhere; echo "$note" > "elsewhere/$note.md" ;;
  idle) exit 0 ;;
  wrong) echo "half of it" > "notes/$note.md"; exit 0 ;;
  slow) sleep 6 ;;
  patient) sleep "${sleeps.patient}\${note#n}" || true ;;
  endless) sleep "${sleeps.endless}\${note#n}" ;;
esac
echo "$task: it is done" > "notes/$note.md"
`;
}

/** What the agent reads out of its brief. */
export function goalOf(note: string, manner: Manner): string {
  return `week: note ${note} by a ${manner} agent`;
}
