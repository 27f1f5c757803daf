import { jest } from '@jest/globals';
import type { Scheme } from '@meetmark/contracts/palette';
import { render } from '@testing-library/react';
import { Button, ConfigProvider, theme as antdTheme } from 'antd';
import { antdThemeFor, prepareTheme } from './antd-theme';

describe("antd's theme", () => {
  it.each<[Scheme, boolean]>([
    ['light', false],
    ['dark', true],
  ])('derives its colours before the first screen in the %s scheme', (scheme, reducedMotion) => {
    const theme = antdThemeFor(scheme, reducedMotion, 1);
    prepareTheme(scheme, reducedMotion, 1);
    const seed = { ...antdTheme.defaultSeed, ...theme.token };
    const derive = theme.algorithm as typeof antdTheme.defaultAlgorithm;
    const prepared = derive(seed);
    const asked = jest.fn(derive);
    render(
      <ConfigProvider theme={{ ...theme, algorithm: asked }}>
        <Button />
      </ConfigProvider>,
    );
    expect(asked.mock.results[0]?.value).toBe(prepared);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('scales its sizes with the browser’s font size', () => {
    const sizes = (scale: number) => {
      const token = antdTheme.getDesignToken(antdThemeFor('light', true, scale));
      return [token.fontSize, token.fontSizeSM, token.fontSizeLG, token.controlHeight];
    };
    expect(sizes(1)).toEqual([15, 12, 18, 44]);
    expect(sizes(2)).toEqual([30, 24, 36, 88]);
  });

  it.each<Scheme>(['light', 'dark'])('keeps the palette’s colours in the %s scheme', (scheme) => {
    const theme = antdThemeFor(scheme, true, 1);
    const { colorPrimary, colorInfo, colorSuccess, colorLink, colorError } = theme.token ?? {};
    expect(antdTheme.getDesignToken(theme)).toMatchObject({
      ...{ colorPrimary, colorInfo, colorSuccess, colorLink, colorError },
      colorPrimaryBorder: colorPrimary,
    });
  });
});
