import { isCrossSite } from './csrf.js';

const origins = { publicHost: 'events.example', requestHost: '10.0.0.7:8080' };

describe('a request that changes something', () => {
  it.each([
    ['says nothing (a program)', {}],
    ['comes from our own page', { 'sec-fetch-site': 'same-origin', origin: 'https://events.example' }],
    ['comes from the address bar', { 'sec-fetch-site': 'none' }],
    ['comes from our page in an old browser', { origin: 'https://events.example' }],
    ['has our page as its referer', { referer: 'https://events.example/events' }],
    ['comes to the host that it was loaded from', { origin: 'http://10.0.0.7:8080' }],
  ])('passes when it %s', (_, headers) => {
    expect(isCrossSite(headers, origins)).toBe(false);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling site', { 'sec-fetch-site': 'same-site' }],
    ['something made up', { 'sec-fetch-site': 'whatever' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['a sandboxed page', { origin: 'null' }],
    ['an origin that only begins like ours', { origin: 'https://events.example.evil.example' }],
    ['an origin that has us as user', { origin: 'https://events.example@evil.example' }],
    ['another port of ours', { origin: 'https://events.example:8443' }],
    ['another page, in an old browser', { referer: 'https://evil.example/?https://events.example' }],
    ['something that is no address', { referer: 'events.example' }],
    ['two that disagree', { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }],
  ])('is refused when it comes from %s', (_, headers) => {
    expect(isCrossSite(headers, origins)).toBe(true);
  });
});
