import { ARGON2 } from '@meetmark/auth/accounts/password-hasher';
import { hash } from '@node-rs/argon2';
import type pg from 'pg';
import { withClient } from '../with-client.js';
import { DEMO_EVENTS } from './demo-events.js';
import { DEMO_MEMBERS, emailOf } from './demo-members.js';
import { avatarSvg, bannerSvg, paint } from './art.js';
import {
  insertActivity,
  insertContents,
  insertDigest,
  insertEvents,
  insertPictures,
  insertRegistrations,
  insertProposals,
  insertTonight,
  insertTopics,
  insertUsers,
} from './seed-rows.js';

export interface DemoAccounts {
  administrator: { email: string; password: string };
  /** All members of the demo community share it. */
  memberPassword: string;
  /** IANA name; the events' local times are in it. */
  timeZone: string;
}

export interface SeedResult {
  /** False when the database had users already: then nothing was changed. */
  seeded: boolean;
  /** A member of the demo community to sign in as. */
  memberEmail: string;
}

/** Fills an empty database with the demo community, all or nothing; one that has users already is left alone. */
export async function seedDemo(databaseUrl: string, accounts: DemoAccounts): Promise<SeedResult> {
  const [firstMember] = DEMO_MEMBERS;
  const memberEmail = firstMember ? emailOf(firstMember) : '';
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ empty: boolean }>(
      'SELECT NOT EXISTS (SELECT FROM auth.users) AS empty',
    );
    if (!rows[0]?.empty) return { seeded: false, memberEmail };
    await fill(client, accounts);
    return { seeded: true, memberEmail };
  });
}

async function fill(
  client: pg.Client,
  { administrator, memberPassword, timeZone }: DemoAccounts,
): Promise<void> {
  const [avatars, banners, adminHash, memberHash] = await Promise.all([
    paint(DEMO_MEMBERS.map(({ firstName, lastName }) => avatarSvg(`${firstName} ${lastName}`))),
    paint(
      DEMO_EVENTS.map(({ title }, index) => bannerSvg(title, index)).filter((_, index) => index % 2 === 0),
    ),
    hash(administrator.password, ARGON2),
    hash(memberPassword, ARGON2),
  ]);
  await client.query('BEGIN');
  await insertDigest(client, timeZone);
  await insertPictures(client, 'auth', avatars);
  await insertPictures(client, 'events', banners);
  const { adminId, memberIds } = await insertUsers(client, {
    email: administrator.email,
    adminHash,
    memberHash,
    avatars,
  });
  const events = await insertEvents(client, adminId, banners, timeZone);
  await insertContents(client, events, { adminId, memberIds });
  await insertTopics(client, events, memberIds);
  await insertRegistrations(client, events, memberIds);
  await insertTonight(client, { adminId, memberIds });
  await insertProposals(client, memberIds);
  await insertActivity(client, timeZone);
  await client.query('COMMIT');
}
