// Which Gitea and which runner the tests run against, and what their published modules need before they build.
// Downloads and builds nothing.

export type Recipe = {
  readonly program: 'gitea' | 'gitea-runner';
  readonly module: string;
  readonly version: string;
  /** What the Go checksum database says of this module: other bytes are not built. */
  readonly sum: string;
  /** Package to build, relative to the module. */
  readonly main: string;
  readonly linkedIn: string;
  /** Arguments of `go mod edit`. */
  readonly moduleEdits: readonly string[];
  /** Files that are taken away, as a folder and what their names begin with. */
  readonly without: { readonly folder: string; readonly prefix: string } | undefined;
  /** Folders the program reads while it runs. */
  readonly keeps: readonly string[];
};

/** Raised when a step of the build changes: an older build is then no longer used. */
export const RECIPE_VERSION = 1;

/** The `go` line of Gitea's module: an older Go fetches this one for itself, when it is allowed to. */
export const GO_VERSION = '1.26.4';

export const GITEA: Recipe = {
  program: 'gitea',
  module: 'code.gitea.io/gitea',
  version: 'v1.27.3',
  sum: 'h1:SRnjvw24ASELKCqyYvAWIlzwOqyFMgfD+UkqQ9SE5eU=',
  main: '.',
  linkedIn: '-X main.Version=1.27.3',
  // Three of its requirements are published under other names or not at all.
  moduleEdits: [
    '-replace=gitea.dev/actions-proto-go=code.gitea.io/actions-proto-go@v0.6.0',
    '-droprequire=gitea.dev/sdk',
    '-require=gitlab.com/gitlab-org/api/client-go/v2@v2.64.0',
  ],
  // Migrating from another Gitea: the only part that needs the missing `gitea.dev/sdk`.
  without: { folder: 'services/migrations', prefix: 'gitea_downloader' },
  keeps: ['options', 'templates', 'public'],
};

export const RUNNER: Recipe = {
  program: 'gitea-runner',
  module: 'gitea.com/gitea/runner',
  // Later tags are no valid versions of this module.
  version: 'v1.0.8',
  sum: 'h1:zKfC4+zyyGIDagqhII3WVw52P+A9iAa63It0lniN4SI=',
  main: '.',
  linkedIn: '-X gitea.com/gitea/runner/internal/pkg/ver.version=v1.0.8',
  moduleEdits: [],
  without: undefined,
  keeps: [],
};
