import { removeSecondFactors } from '@meetmark/auth/remove-second-factors';
import { ConfigError, loadConfig, StoreConfig } from '@meetmark/platform';
import { IsEmail } from 'class-validator';

/** sysexits.h: configuration error. */
const EX_CONFIG = 78;

/** Besides this the command reads DATABASE_URL (role meetmark_auth) and REDIS_URL, like the auth service. */
class RemoveSecondFactorsConfig extends StoreConfig {
  @IsEmail({}, { message: 'must be the email address of the account' })
  userEmail!: string;
}

// For a lost second factor where no administrator can remove it: node scripts/dist/remove-second-factors.js
try {
  const config = loadConfig(RemoveSecondFactorsConfig);
  await removeSecondFactors(config, config.userEmail);
  console.log(`${config.userEmail}: second factors removed, signed out everywhere`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof ConfigError ? EX_CONFIG : 1;
}
