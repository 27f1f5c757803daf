import { ARGON2 } from '@meetmark/auth/passwords/password-hasher';
import { hash } from '@node-rs/argon2';
import type pg from 'pg';
import { demoPictures } from './pictures.js';
import type { DemoAccounts } from './seed-demo.js';
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

/** Puts the demo community into an empty database, all of it or nothing. */
export async function fill(
  client: pg.Client,
  { administrator, memberPassword, timeZone }: DemoAccounts,
): Promise<void> {
  const [avatars, banners] = [demoPictures('members'), demoPictures('events')];
  const [adminHash, memberHash] = await Promise.all([
    hash(administrator.password, ARGON2),
    hash(memberPassword, ARGON2),
  ]);
  await client.query('BEGIN');
  await insertDigest(client, timeZone);
  await insertPictures(client, 'auth', [...avatars.values()]);
  await insertPictures(client, 'events', [...banners.values()]);
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
