import 'reflect-metadata';
import { isPictureAddress, pictureOrigin } from './settings.js';

describe('the address of a picture in the settings', () => {
  it.each([
    ['/sponsors/harbour-finch.svg', undefined],
    ['/logo.png', undefined],
    [`/media/community/${'0f'.repeat(32)}.webp`, undefined],
    ['https://cdn.example.org/a,b;c.png', 'https://cdn.example.org'],
    ['https://CDN.example.org:8443/*', 'https://cdn.example.org:8443'],
    ['https://münchen.example/logo.png', 'https://xn--mnchen-3ya.example'],
    ['https://intranet/logo.png', 'https://intranet'],
  ])('may be %s', (address, origin) => {
    expect([isPictureAddress(address), pictureOrigin(address)]).toEqual([true, origin]);
  });

  it.each([
    'https://cdn,example.org/logo.png',
    'https://cdn;example.org/logo.png',
    "https://cdn'example.org/logo.png",
    'https://cdn%2Cexample.org/logo.png',
    'https://*/x',
    'https://*.example.org/x',
    'https://-.example.org/x',
    'https://cdn_1.example.org/x',
    `https://${'a'.repeat(64)}.example/x`,
    `https://${'a.'.repeat(127)}example/x`,
    'https://127.0.0.1/x',
    'https://2130706433/x',
    'https://[::1]/x',
    'https://user:word@example.org/x',
    'http://example.org/logo.png',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    '//evil.example/logo.svg',
    '/\\evil.example/logo.svg',
    '/api/logout',
    '/api/logout.png',
    '/api/../logo.png',
    '/logo',
    '/../logo.svg',
    '/sponsors/../logo.svg',
    '/sponsors/.hidden/logo.svg',
    '/sponsors/a,b.svg',
    '/logo.svg?x',
    '/logo.svg#x',
    '/media/avatars/x.webp',
    '/media/community/../avatars/x.webp',
    `/media/community/${'0F'.repeat(32)}.webp`,
    'logo.svg',
    `/${'a/'.repeat(1_200)}logo.svg`,
    '',
    null,
  ])('is not %s', (address) => {
    expect([isPictureAddress(address), pictureOrigin(address)]).toEqual([false, undefined]);
  });
});
