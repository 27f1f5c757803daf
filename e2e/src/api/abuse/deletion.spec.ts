import { randomBytes, randomUUID } from 'node:crypto';
import type { User } from '@meetmark/contracts';
import { withPicture } from '@meetmark/testing/factories/pictures';
import { redisContents } from '@meetmark/testing/harness/redis-contents';
import sharp from 'sharp';
import { createdEvent } from '../../support/api-client.js';
import { query } from '../../support/database.js';
import { mailsTo } from '../../support/mailbox.js';
import { sharedStack } from '../../support/shared-stack.js';
import { logs } from '../support/logs.js';
import { aMember, theAdministrator, visitor } from '../support/people.js';

const { databaseUrl, gatewayUrls, redisUrl } = sharedStack();

async function tablesWith(text: string): Promise<string[]> {
  const tables = await query<{ name: string }>(
    databaseUrl,
    `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
     WHERE table_schema IN ('auth', 'events', 'admin', 'gateway') AND table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await query(
      databaseUrl,
      `SELECT FROM ${name} AS row WHERE strpos(lower(row::text), lower($1)) > 0 LIMIT 1`,
      [text],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

it('deleting a member erases their personal data and stops emails to them', async () => {
  const { client, person, user } = await aMember(`Given${randomUUID()}`);
  const description = `About ${randomUUID()}`;
  // Uses random pixels, because the server keeps an image if another member has the same one.
  const size = { width: 64, height: 64, channels: 3 } as const;
  const bytes = await sharp(randomBytes(size.width * size.height * size.channels), { raw: size })
    .png()
    .toBuffer();
  const { firstName, lastName, email } = person;
  const profile = { firstName, lastName, description, profileImageUrl: withPicture(bytes) };
  const { body } = await client.put<User>('/api/user/profile', profile);
  const picture = body.profileImageUrl!;
  const shownAt = (url: string) => visitor().at(url).get(picture);
  for (const url of gatewayUrls) expect((await shownAt(url)).status).toBe(200);

  const administrator = await theAdministrator();
  const answer = `Allergic to ${randomUUID()}`;
  const question = { id: randomUUID(), kind: 'text' as const, label: 'What do you not eat?', options: [] };
  const [kept, cancelled] = [
    await createdEvent(administrator, { questions: [question] }),
    await createdEvent(administrator),
  ];
  for (const [{ id }, body] of [[kept, { answers: { [question.id]: answer } }], [cancelled]] as const)
    expect((await client.post(`/api/events/${id}/register`, body)).status).toBe(201);
  expect(await tablesWith(answer)).toEqual(['events.event_registrations']);
  const { url: feed } = (await client.post<{ url: string }>('/api/user/calendar-feed')).body;
  const feedStatus = async () => (await visitor().get(new URL(feed).pathname)).status;
  expect(await feedStatus()).toBe(200);
  await visitor().post('/api/login', { email, password: 'wrong' });
  await visitor().post('/api/forgot-password', { email });
  await administrator.put(`/api/admin/users/${user.id}`, { lastName: `Family${randomUUID()}` });
  await administrator.delete(`/api/events/${cancelled.id}`);
  expect((await administrator.delete(`/api/admin/users/${user.id}`)).status).toBe(204);
  const location = `Elsewhere ${randomUUID()}`;
  await administrator.put(`/api/events/${kept.id}`, { ...kept, location });

  const file = picture.split('/').at(-1)!.replace('.webp', '');
  for (const personal of [email, firstName, description, answer, file]) {
    expect([personal, await tablesWith(personal)]).toEqual([personal, []]);
    const inRedis = (await redisContents(redisUrl)).filter((line) => line.includes(personal));
    expect([personal, inRedis]).toEqual([personal, []]);
  }
  expect(await tablesWith(user.id)).toEqual([]);
  const written = await logs();
  expect(written).toContain(user.id);
  for (const personal of [email, firstName, description, answer])
    expect([personal, written.includes(personal)]).toEqual([personal, false]);
  for (const url of gatewayUrls) expect((await shownAt(url)).status).toBe(404);
  expect(await feedStatus()).toBe(404);
  expect((await mailsTo(email)).filter(({ text }) => text.includes(location))).toEqual([]);
}, 60_000);
