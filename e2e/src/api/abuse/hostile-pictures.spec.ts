import type { ErrorBody, User } from '@meetmark/contracts';
import sharp from 'sharp';
import { pngOf, withPicture } from '@meetmark/testing/factories/pictures';
import { aMember, type Person, visitor } from '../support/people.js';
import { row } from '../support/rows.js';

let member: Person;
beforeAll(async () => {
  member = await aMember();
}, 60_000);

const upload = (profileImageUrl: string) => {
  const { email, firstName, lastName } = member.person;
  return member.client.put<User & ErrorBody>('/api/user/profile', {
    email,
    firstName,
    lastName,
    profileImageUrl,
  });
};
const pictures = async () => (await row<{ n: number }>('SELECT count(*)::int AS n FROM auth.pictures'))?.n;
const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } });

describe('a file that is no picture (T10, T11)', () => {
  const SCRIPT = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

  it.each<[string, string | Buffer, number]>([
    ['SVG that says so', withPicture(Buffer.from(SCRIPT), 'image/svg+xml'), 415],
    ['SVG that says PNG', withPicture(Buffer.from(SCRIPT)), 415],
    ['HTML', withPicture(Buffer.from('<script>alert(1)</script>'), 'text/html'), 415],
    ['text in place of base64', 'data:image/png,hello', 415],
    ['broken base64', 'data:image/png;base64,@@@@', 422],
    ['a PNG in name alone', withPicture(Buffer.from('\x89PNG\r\n\x1a\n<script>', 'latin1')), 422],
    ['2 gigapixels in a kilobyte', withPicture(pngOf(50_000, 40_000)), 413],
    ['one line of 500 million pixels', withPicture(pngOf(500_000_000, 1)), 422],
    ['more than 5 MB', withPicture(Buffer.alloc(5 * 1024 * 1024 + 1, 7)), 413],
  ])('is refused: %s', async (_, url, status) => {
    const before = await pictures();
    expect((await upload(String(url))).status).toBe(status);
    expect(await pictures()).toBe(before);
    expect((await member.client.get<User>('/api/user')).body.profileImageUrl).toBeNull();
  });

  it.each([
    'https://evil.example/pixel.png',
    '//evil.example/pixel.png',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '/media/avatars/../../api/admin/users',
    `/media/banners/${'0'.repeat(64)}.webp`,
  ])('is not fetched from anywhere: %s', async (url) => {
    const { status, body } = await upload(url);
    expect([status, Object.keys(body.details?.fields ?? {})]).toEqual([400, ['profileImageUrl']]);
  });

  it('is refused a hundred times at once without anybody else waiting for ever', async () => {
    const bomb = withPicture(pngOf(40_000, 40_000));
    const answers = await Promise.all(Array.from({ length: 100 }, () => upload(bomb)));
    for (const { status } of answers) expect([413, 503]).toContain(status);
    expect((await visitor().get('/api/events/public?limit=1')).status).toBe(200);
  }, 60_000);
});

describe('a photograph (T12)', () => {
  it('loses where it was taken, and comes back as a picture of ours and nothing else', async () => {
    const photo = await canvas(80, 40)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'secret-camera' }, IFD3: { GPSLatitude: '53/1 28/1 0/1' } })
      .toBuffer();
    expect(photo.includes('secret-camera')).toBe(true);
    const { status, body } = await upload(withPicture(photo, 'text/html'));
    expect([status, body.profileImageUrl]).toEqual([
      200,
      expect.stringMatching(/^\/media\/avatars\/[0-9a-f]{64}\.webp$/),
    ]);
    const answer = await fetch(visitor().url + body.profileImageUrl);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.includes('secret-camera')).toBe(false);
    const { format, width, height, exif } = await sharp(bytes).metadata();
    expect([format, width, height, exif]).toEqual(['webp', 512, 512, undefined]);
  });

  it('is stored once however often it is sent', async () => {
    const png = await canvas(30, 30).png().toBuffer();
    const first = await upload(withPicture(png));
    const before = await pictures();
    const second = await upload(withPicture(png));
    expect(second.body.profileImageUrl).toBe(first.body.profileImageUrl);
    expect(await pictures()).toBe(before);
  });
});
