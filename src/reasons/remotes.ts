// Reason codes about remotes and forges, and what people type there.
import { STATUS, EVENT, type Reason } from './reason.ts';

export const REMOTES = {
  // append and remote
  head_moved: {
    exit: 5,
    says: 'Somebody else appended first; the transaction was decided again and lost again.',
    next: 'lazarus ledger log <ledger>',
    inIssue: 'write it again, as a new comment',
  },
  push_rejected: {
    exit: 3,
    says: 'The remote refused the push.',
    next: 'read what the server answers: one of its branch rules or hooks refuses the push',
    inIssue: 'whoever keeps the project looks at the branch rules of this repository',
  },
  push_unknown: {
    exit: 75,
    says: 'The remote’s answer was lost; whether the push landed is not known yet.',
    next: 'lazarus ledger pull',
  },
  remote_unreachable: {
    exit: 75,
    says: 'The remote did not answer.',
    next: 'check the address and the network, then type the same command again',
  },
  remote_protocol: {
    exit: 75,
    says: 'The remote answered with something that is not the git protocol.',
    next: 'git ls-remote <url>',
  },
  authentication_needed: {
    exit: 4,
    says: 'The remote wants a credential and none fits.',
    next: 'export LAZARUS_TOKEN_ORIGIN=https://… LAZARUS_TOKEN=…',
  },
  token_origin_needed: {
    exit: 2,
    says: 'LAZARUS_TOKEN is set, but LAZARUS_TOKEN_ORIGIN does not name the one server it is for.',
    next: 'export LAZARUS_TOKEN_ORIGIN=https://…',
  },
  copy_behind: {
    exit: 75,
    says: 'The append is safe on the remote, but this clone’s own copy could not follow; do not append it again.',
    next: 'lazarus ledger pull',
  },
  remote_is_ahead: { exit: 5, says: 'The remote holds events that are not here.', next: 'lazarus ledger pull' },
  remote_is_behind: {
    exit: 6,
    says: 'The remote lacks events of this ledger that are here: they never left this clone, or the remote was taken back.',
    next: 'lazarus ledger push',
  },
  genesis_unconfirmed: {
    exit: 3,
    says: 'Nobody has said yet that the project on the remote is the right one, and here nobody can be asked.',
    next: 'lazarus verify project --genesis <what a founder told you>',
  },
  forge_runs_it: {
    exit: 3,
    says: 'The runners of the forge do this, with keys that are not here.',
    next: STATUS,
  },
  no_remote: { exit: 2, says: 'No remote is configured or named.', next: 'git remote add origin <url>' },
  remote_url_refused: {
    exit: 2,
    says: 'This address cannot be a remote: only https, http, ssh and file paths are used.',
    next: 'git remote set-url <name> <url>',
  },
  remote_rewritten: {
    exit: 2,
    says: 'The repository’s own configuration (url.*.insteadOf) would put another address in the place of this one.',
    next: 'git config --show-scope --get-regexp ^url',
  },
  insecure_transport: {
    exit: 4,
    says: 'A credential is never sent over plain http, except to this machine itself.',
    next: 'git remote set-url <name> https://…',
  },
  remote_redirected: {
    exit: 9,
    says: 'The remote has moved; redirects are not followed, so that no credential goes astray.',
    next: 'git remote set-url <name> <new url>',
  },
  remote_not_found: {
    exit: 7,
    says: 'No repository answers at this address, or the credential may not see it.',
    next: 'git remote -v',
  },
  remote_ref_missing: { exit: 7, says: 'The remote has no such reference.', next: 'git ls-remote <url>' },
  remote_not_atomic: {
    exit: 9,
    says: 'The remote cannot move several references all at once or not at all.',
    next: 'enable receive.advertiseAtomic on the server',
  },
  host_key_refused: {
    exit: 4,
    says: 'ssh does not know the host key of the remote, or the key has changed.',
    next: 'ssh <host>',
  },
  certificate_refused: {
    exit: 4,
    says: 'The certificate of the remote is not trusted by this machine.',
    next: 'git ls-remote <url>',
  },

  // forge
  forge_unreachable: {
    exit: 75,
    says: 'The forge did not answer.',
    next: 'check the address and the network, then type the same command again',
  },
  forge_answer_lost: {
    exit: 75,
    says: 'The forge’s answer was lost; whether it did what was asked is not known yet.',
    next: 'lazarus reconcile',
  },
  forge_failed: {
    exit: 75,
    says: 'The forge itself failed while it answered.',
    next: 'the same command in a moment; if it stays so, look into the server’s log',
  },
  forge_answer_unexpected: {
    exit: 9,
    says: 'The forge answered with something that does not have the expected form.',
    next: 'check that the address is that of a Gitea 1.27 or newer',
  },
  forge_redirected: {
    exit: 9,
    says: 'The forge points elsewhere; redirects are not followed, so that no credential goes astray.',
    next: 'the same command with the forge’s new address',
  },
  forge_refused: {
    exit: 3,
    says: 'The forge refused the request.',
    next: 'check in the repository’s settings what the account of the token may do',
  },
  forge_not_found: {
    exit: 7,
    says: 'The forge has no such thing, or the credential may not see it.',
    next: 'check the name, and what the account of the token may see',
  },
  forge_exists: {
    exit: 5,
    says: 'The forge has this already; nothing was changed.',
    next: 'choose another name, or use what is there',
  },
  forge_too_old: {
    exit: 9,
    says: 'The server is older than lazarus needs.',
    next: 'upgrade the server to Gitea 1.27 or newer',
  },
  forge_scope_missing: {
    exit: 4,
    says: 'The access token lacks a scope that this needs.',
    next: 'make a token with the named scope and export LAZARUS_TOKEN=…',
  },
  forge_rule_differs: {
    exit: 5,
    says: 'A branch rule of this name exists and says something else; it was not changed.',
    next: 'change the rule in the repository’s settings, or delete it, and repeat the command',
  },
  forge_rule_dropped: {
    exit: 9,
    says: 'The forge accepted a branch rule and kept less than it was given: the branch is not protected as it must be.',
    next: 'give the named accounts write access, delete the rule in the repository’s settings, and repeat the command',
  },
  payload_unexpected: {
    exit: 9,
    says: 'The payload of the forge’s event does not have the expected form; nothing was done about it.',
    next: 'lazarus reconcile',
  },
  forge_key_refused: {
    exit: 3,
    says: 'The forge did not register the public key.',
    next: 'lazarus keys new <principal>',
  },

  // what people type on the forge
  form_invalid: {
    exit: 2,
    says: 'The mission proposal cannot be read; nothing was begun.',
    next: 'edit the issue, or file the form again',
  },
  form_forged: {
    exit: 3,
    says: 'The issue does not have the shape that the form gives it, so it could be read in two ways; nothing was begun.',
    next: 'file the form again',
  },
  parse_error: {
    exit: 2,
    says: 'The command is not understood; nothing in the comment was done.',
    next: 'write /help in a comment of the issue',
    inIssue: '/help',
  },
  already_heard: { exit: 5, says: 'This was received before, and it counted then.', next: STATUS },
  heard_too_old: {
    exit: 5,
    says: 'Something newer was received since, so nobody can tell any more whether this was received before.',
    next: 'write it again, as a new comment',
  },
  source_elsewhere: {
    exit: 3,
    says: 'It was written in another issue than the one that the mission belongs to.',
    next: 'write it in the issue of the mission',
  },
  source_missing: {
    exit: 6,
    says: 'An event has what somebody said on the forge, without the record of where it was said.',
    next: EVENT,
  },
  command_further_down: {
    exit: 2,
    says: 'A command stands below other text, where it is read as text; nothing was done for it.',
    next: 'write it again as the first line of a new comment, with what you want to say below it',
  },
  unknown_verb: {
    exit: 2,
    says: 'There is no such command; nothing in the comment was done.',
    next: 'write /help in a comment of the issue',
    inIssue: '/help',
  },
  proposal_unheard: {
    exit: 75,
    says: 'The proposal never reached lazarus, and it was changed since it was filed, so that nobody can tell whose words it holds; nothing was begun.',
    next: 'file the form again',
  },
  type_again: {
    exit: 75,
    says: 'A command was heard by no run: its event got lost, or it was put into a comment afterwards; nothing was done.',
    next: 'write the command again, as a new comment',
  },
  workflow_unsafe: {
    exit: 9,
    says: 'A workflow file does something that ours never do.',
    next: 'lazarus init --forge <url> --repo <owner/name>',
  },
  workflow_stale: {
    exit: 9,
    says: 'A workflow file of the repository is not the one this version writes.',
    next: 'lazarus init --forge <url> --repo <owner/name>',
  },
  issue_closed: {
    exit: 3,
    says: 'The issue is closed, so nothing begins by a comment on it; nothing was done.',
    next: 'reopen the issue, then write the command again, as a new comment',
  },
} as const satisfies Record<string, Reason>;
