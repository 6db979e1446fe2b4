// The settings of a throwaway Gitea: loopback only, a database in one file, nothing of the outside, nothing in the background.

type Place = {
  readonly address: string;
  readonly port: number;
  /** Where others are told to come. */
  readonly toldPort: number;
  readonly silenceSeconds?: number | undefined;
};

export function appIni(folder: string, staticRoot: string, { address, port, toldPort, silenceSeconds }: Place): string {
  return `WORK_PATH = ${folder}
RUN_MODE = prod

[server]
HTTP_ADDR = ${address}
HTTP_PORT = ${port}
ROOT_URL = http://${address}:${toldPort}/
STATIC_ROOT_PATH = ${staticRoot}
DISABLE_SSH = true
OFFLINE_MODE = true

[database]
DB_TYPE = sqlite3
PATH = ${folder}/data/gitea.db
SQLITE_JOURNAL_MODE = WAL

[security]
INSTALL_LOCK = true

; Who was signed in before a restart is after it.
[session]
PROVIDER = file
PROVIDER_CONFIG = ${folder}/data/sessions

[service]
DISABLE_REGISTRATION = true

[actions]
ENABLED = true
; \`uses: owner/repository@…\` means this server, not a public one.
DEFAULT_ACTIONS_URL = self
${silenceSeconds === undefined ? '' : zombiesEnd(silenceSeconds)}
[webhook]
ALLOWED_HOST_LIST = loopback

[indexer]
ISSUE_INDEXER_TYPE = db

[cron.update_checker]
ENABLED = false

; A test says itself when the schedule's time has come, by dispatching it: the wall clock would mix its jobs in.
[cron.start_schedule_tasks]
ENABLED = false

[log]
LEVEL = Warn
logger.access.MODE = requests

[log.requests]
MODE = file
LEVEL = Info
FILE_NAME = ${folder}/requests.log
`;
}

/** Of a job whose runner is gone. */
function zombiesEnd(seconds: number): string {
  return `ZOMBIE_TASK_TIMEOUT = ${seconds}s

[cron.stop_zombie_tasks]
SCHEDULE = @every 5s
`;
}
