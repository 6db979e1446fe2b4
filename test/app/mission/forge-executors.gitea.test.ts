import { forgeEffectsContract } from '../../contract/forge-effects.ts';
import { giteaHost } from '../../support/forge-hosts.ts';

forgeEffectsContract('on a real Gitea', giteaHost);
