import { createSetupToken } from '@meetmark/auth/operator-commands';
import { DomainError, setupLink } from '@meetmark/contracts';
import { StoreConfig } from '@meetmark/platform';
import { IsUrl } from 'class-validator';
import { runCommand } from './run-command.js';

/** The command also reads DATABASE_URL (role meetmark_auth) and REDIS_URL, like the auth service. */
class SetupLinkConfig extends StoreConfig {
  @IsUrl(
    { protocols: ['http', 'https'], require_protocol: true, require_tld: false },
    { message: 'must be the URL that browsers use' },
  )
  publicUrl!: string;
}

// Prints the setup link of an installation without an owner: node scripts/dist/create-setup-link.js
await runCommand(SetupLinkConfig, async (config) => {
  try {
    console.log(setupLink(config.publicUrl, await createSetupToken(config)));
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND')
      throw new Error('This installation already has an owner', { cause: error });
    throw error;
  }
});
