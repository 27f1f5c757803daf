import { designBanner } from './generated-banner';

describe('The banner of an event without a picture', () => {
  it('is the same for the same event', () => {
    expect(designBanner('0190b000-0000-7000-8000-000000000001')).toEqual(
      designBanner('0190b000-0000-7000-8000-000000000001'),
    );
  });

  it('differs between events whose ids are neighbours', () => {
    expect(designBanner('0190b000-0000-7000-8000-000000000001')).not.toEqual(
      designBanner('0190b000-0000-7000-8000-000000000002'),
    );
  });
});
