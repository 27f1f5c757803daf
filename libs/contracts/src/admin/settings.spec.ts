import 'reflect-metadata';
import { isMapAddress, isPictureAddress, toMapUrl, pictureOrigin } from './settings.js';

describe('image URLs in the settings', () => {
  it.each([
    ['/sponsors/harbour-finch.svg', undefined],
    ['/logo.png', undefined],
    [`/media/community/${'0f'.repeat(32)}.webp`, undefined],
    ['https://cdn.example.org/a,b;c.png', 'https://cdn.example.org'],
    ['https://CDN.example.org:8443/*', 'https://cdn.example.org:8443'],
    ['https://münchen.example/logo.png', 'https://xn--mnchen-3ya.example'],
    ['https://intranet/logo.png', 'https://intranet'],
  ])('accepts the image URL %s', (address, origin) => {
    expect([isPictureAddress(address), pictureOrigin(address)]).toEqual([true, origin]);
  });

  it.each([
    'https://cdn,example.org/logo.png',
    'https://cdn;example.org/logo.png',
    'https://cdn%2Cexample.org/logo.png',
    'https://*.example.org/x',
    'https://-.example.org/x',
    `https://${'a'.repeat(64)}.example/x`,
    `https://${'a.'.repeat(127)}example/x`,
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://user:word@example.org/x',
    'http://example.org/logo.png',
    'javascript:alert(1)',
    '//evil.example/logo.svg',
    '/\\evil.example/logo.svg',
    '/api/logout',
    '/api/logout.png',
    '/sponsors/../logo.svg',
    '/sponsors/.hidden/logo.svg',
    '/sponsors/a,b.svg',
    '/logo.svg?x',
    '/media/avatars/x.webp',
    `/media/community/${'0F'.repeat(32)}.webp`,
    'logo.svg',
    `/${'a/'.repeat(1_200)}logo.svg`,
    null,
  ])('rejects the image URL %s', (address) => {
    expect([isPictureAddress(address), pictureOrigin(address)]).toEqual([false, undefined]);
  });
});

describe('map URLs in the settings', () => {
  // isMapAddress checks the host name like an image URL, but requires a public one.
  it.each([
    ['https://maps.example.org/static?center=*&size=800x400&key=k', true],
    ['https://maps.example.org:8443/map/*/800x400.png', true],
    ['https://münchen.example/*', true],
    ['http://maps.example.org/?q=*', false],
    ['https://maps.example.org/', false],
    ['https://maps.example.org/?q=*&r=*', false],
    ['https://maps.example.org/#*', false],
    ['https://*.example.org/', false],
    ['https://user:word@maps.example.org/?q=*', false],
    ['https://redis/?q=*', false],
    ['https://169.254.169.254/?q=*', false],
    [`https://maps.example.org/?q=*&key=${'k'.repeat(1_000)}`, false],
    [7, false],
  ])('judges the map URL %s: %s', (address, expected) => expect(isMapAddress(address)).toBe(expected));

  it('replaces the asterisk of the map URL with the encoded venue', () => {
    const address = (venue: string) => toMapUrl('https://maps.example.org/*?key=k', venue);
    expect(address("5 $& O'Connell St./#1, Köln")).toBe(
      "https://maps.example.org/5%20%24%26%20O'Connell%20St.%2F%231%2C%20K%C3%B6ln?key=k",
    );
    expect(['..', '.', '-', ' '].map(address)).toEqual([null, null, null, null]);
  });
});
