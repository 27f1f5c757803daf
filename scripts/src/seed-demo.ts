import { DEMO_MEMBER_DOMAIN, LIMITS, normalisePassword, rewritten } from '@meetmark/contracts';
import { UrlVariable } from '@meetmark/platform';
import { loadCommunity } from '@meetmark/platform/community/community';
import { IsEmail, IsNotEmpty, Length } from 'class-validator';
import { runCommand } from './run-command.js';
import { seedDemo } from './seed/seed-demo.js';
import { withClient } from './with-client.js';

const PASSWORD = {
  message: `must be a password of ${LIMITS.passwordMin} to ${LIMITS.password} characters: run node scripts/make-env.mjs --demo`,
};

class SeedDemoConfig {
  @UrlVariable('postgres', 'postgresql')
  migrationDatabaseUrl!: string;

  @IsNotEmpty()
  communityConfig!: string;

  @IsEmail({}, { message: 'must be the email address of the demo administrator' })
  adminEmail!: string;

  @rewritten(normalisePassword, LIMITS.password)
  @Length(LIMITS.passwordMin, LIMITS.password, PASSWORD)
  adminPassword!: string;

  @rewritten(normalisePassword, LIMITS.password)
  @Length(LIMITS.passwordMin, LIMITS.password, PASSWORD)
  demoMemberPassword!: string;
}

/**
 * Whether any demo member exists. Compose runs this command at every start, and some members may have been
 * deleted since the first start.
 */
const isDemo = (databaseUrl: string) =>
  withClient(databaseUrl, async (client) => {
    const { rowCount } = await client.query('SELECT FROM auth.users WHERE email LIKE $1 LIMIT 1', [
      `%@${DEMO_MEMBER_DOMAIN}`,
    ]);
    return rowCount === 1;
  });

// Fills an empty database with the demo community: node scripts/dist/seed-demo.js
await runCommand(SeedDemoConfig, async (config) => {
  const seeded = await seedDemo(config.migrationDatabaseUrl, async () => ({
    administrator: { email: config.adminEmail, password: config.adminPassword },
    memberPassword: config.demoMemberPassword,
    timeZone: loadCommunity(config.communityConfig).timeZone,
  }));
  if (!seeded && !(await isDemo(config.migrationDatabaseUrl)))
    throw new Error('The database already has accounts. The demo community needs an empty database.');
  console.log(seeded ? 'The demo community was added.' : 'The demo community already exists.');
});
