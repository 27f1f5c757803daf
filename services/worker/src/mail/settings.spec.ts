import { PALETTES, TestMail } from '@meetmark/contracts';
import { COMMUNITY, CommunityFollower, loadCommunity, type PresentCommunity } from '@meetmark/platform';
import { insertSettings } from '@meetmark/testing/factories/settings';
import { insertUser } from '@meetmark/testing/factories/users';
import { until } from '@meetmark/testing';
import { workersForTests } from '../testing/test-worker.js';

/** Maximum milliseconds until every process applies a change. */
const PROMISED = 5_000;

describe('a running worker', () => {
  const workers = workersForTests();

  it('uses the changed name, sender, logo and colours in its next email', async () => {
    const worker = await workers.startHandlers();
    const following = worker.get<PresentCommunity>(COMMUNITY);
    const shipped = loadCommunity(workers.config.communityConfig);
    const { id: userId } = await insertUser(workers.owner);
    const { mail: before } = await workers.send('auth', TestMail, { userId });
    expect(before.from?.name).toBe(shipped.name);
    expect(before.html).toContain(PALETTES.light.primary);
    expect(before.html).not.toContain('Lora');

    await insertSettings(workers.owner, {
      ...shipped,
      ...{ name: 'Rust Porto', supportEmail: 'ola@rust.example', brandColour: '#8a1c4a', font: 'lora' },
      ...{ senderName: 'Rust at the river', logoUrl: `/media/community/${'0'.repeat(64)}.webp` },
    });
    await until('the new name', PROMISED, () => Promise.resolve(following.name === 'Rust Porto'));
    const { mail, raw } = await workers.send('auth', TestMail, { userId });
    expect(mail.from?.name).toBe('Rust at the river');
    expect(mail.html).toContain('background-color:#8a1c4a');
    expect(mail.html).toContain("font-family:'Lora',Georgia,'Times New Roman',serif;");
    expect(mail.html).not.toMatch(/@font-face|@import|stylesheet|Figtree/);
    expect(mail.html).toContain(`src="https://meet.example/media/community/${'0'.repeat(64)}.webp"`);
    const both = [mail.html, mail.text, mail.subject, raw.slice(0, raw.indexOf('\r\n\r\n'))].join();
    for (const word of [shipped.name, shipped.supportEmail, PALETTES.light.primary, PALETTES.dark.primary])
      expect([word, both.includes(word)]).toEqual([word, false]);
    worker.get(CommunityFollower).onApplicationShutdown();
  });
});
