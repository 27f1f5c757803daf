import { formatPrice } from './price';

const community = { locale: 'en-US', currency: 'GBP' };

describe('A price', () => {
  it.each([null, '0', '0.00', ''])('%p is Free', (price) => {
    expect(formatPrice(price, community)).toBe('Free');
  });

  it.each([
    ['10', '£10'],
    ['10.00', '£10'],
    ['12.5', '£12.50'],
    ['12.50', '£12.50'],
    ['1250', '£1,250'],
  ])('%p is %p', (price, written) => {
    expect(formatPrice(price, community)).toBe(written);
  });

  it('is in the currency of the community', () => {
    expect(formatPrice('12.50', { locale: 'en-US', currency: 'EUR' })).toBe('€12.50');
  });
});
