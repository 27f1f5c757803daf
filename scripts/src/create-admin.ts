import { createAdministrator } from '@meetmark/auth/operator-commands';
import { LIMITS, normalisePassword, rewritten } from '@meetmark/contracts';
import { StoreConfig } from '@meetmark/platform';
import { IsEmail, Length } from 'class-validator';
import { runCommand } from './run-command.js';

/** The command also reads DATABASE_URL (role meetmark_auth) and REDIS_URL, like the auth service. */
class CreateAdminConfig extends StoreConfig {
  @IsEmail({}, { message: 'must be the email address of the administrator' })
  adminEmail!: string;

  @rewritten(normalisePassword, LIMITS.password)
  @Length(LIMITS.passwordMin, LIMITS.password, {
    message: `must be a password of ${LIMITS.passwordMin} to ${LIMITS.password} characters`,
  })
  adminPassword!: string;
}

// Creates an administrator in production, which has no demo data: node scripts/dist/create-admin.js
await runCommand(CreateAdminConfig, async (config) => {
  const outcome = await createAdministrator(config, {
    email: config.adminEmail,
    password: config.adminPassword,
  });
  console.log(`${config.adminEmail}: ${outcome}`);
});
