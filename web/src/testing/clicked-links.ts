import { jest } from '@jest/globals';

/** Collects the links that the app clicks to save files and to open emails, until mocks are restored. */
export function collectClickedLinks(): HTMLAnchorElement[] {
  const links: HTMLAnchorElement[] = [];
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    links.push(this);
  });
  return links;
}
