import { removeSecondFactors } from '@meetmark/auth/operator-commands';
import { StoreConfig } from '@meetmark/platform';
import { IsEmail } from 'class-validator';
import { runCommand } from './run-command.js';

/** The command also reads DATABASE_URL (role meetmark_auth) and REDIS_URL, like the auth service. */
class RemoveSecondFactorsConfig extends StoreConfig {
  @IsEmail({}, { message: 'must be the email address of the account' })
  userEmail!: string;
}

// Removes a lost second factor if no administrator can: node scripts/dist/remove-second-factors.js
await runCommand(RemoveSecondFactorsConfig, async (config) => {
  await removeSecondFactors(config, config.userEmail);
  console.log(`${config.userEmail}: second factors removed, signed out everywhere`);
});
