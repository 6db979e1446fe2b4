import { forgeContract } from '../../contract/forge.ts';
import { giteaHost } from '../../support/forge-hosts.ts';

forgeContract('on a real Gitea', giteaHost);
