import { removeSecondFactors } from '@meetmark/auth/operator-commands';
import { StoreConfig } from '@meetmark/platform';
import { IsEmail } from 'class-validator';
import { runCommand } from './run-command.js';

/** Besides this the command reads DATABASE_URL (role meetmark_auth) and REDIS_URL, like the auth service. */
class RemoveSecondFactorsConfig extends StoreConfig {
  @IsEmail({}, { message: 'must be the email address of the account' })
  userEmail!: string;
}

// For a lost second factor where no administrator can remove it: node scripts/dist/remove-second-factors.js
await runCommand(RemoveSecondFactorsConfig, async (config) => {
  await removeSecondFactors(config, config.userEmail);
  console.log(`${config.userEmail}: second factors removed, signed out everywhere`);
});
