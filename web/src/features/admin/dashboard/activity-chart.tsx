import { Column } from '@ant-design/charts';
import type { ActivityDay } from '@meetmark/contracts';
import type { GlobalToken } from 'antd';

export interface ActivityChartProps {
  days: ActivityDay[];
  height: number;
  words: { day: (day: { name: string }) => string; registrations: string };
  token: GlobalToken;
}

/**
 * Loaded lazily, because the chart library is large. Texts and theme are props, so that all languages share
 * the file.
 */
export default function ActivityChart({ days, height, words, token }: ActivityChartProps) {
  // a canvas can't resolve CSS variables
  const { fontFamily } = getComputedStyle(document.body);
  const label = {
    labelFill: token.colorTextSecondary,
    labelOpacity: 1,
    labelFontFamily: fontFamily,
    labelFontSize: token.fontSizeSM,
  };
  return (
    <div aria-hidden="true">
      <Column
        // a new scheme needs a new chart, because the library keeps a chart's first colours
        key={token.colorBgContainer}
        data={days}
        xField="name"
        yField="registrations"
        height={height}
        autoFit
        animate={token.motion ? undefined : false}
        style={{ fill: token.colorPrimary, radiusTopLeft: 8, radiusTopRight: 8, maxWidth: 56 }}
        scale={{ y: { nice: true, domainMin: 0, tickMethod: wholeTicks } }}
        axis={{
          x: { ...label, line: false, tick: false, title: false },
          y: {
            ...label,
            title: false,
            tick: false,
            gridStroke: token.colorBorderSecondary,
            gridStrokeOpacity: 1,
            gridLineDash: [3, 4],
          },
        }}
        tooltip={{
          title: ({ name }: ActivityDay) => words.day({ name }),
          items: [{ channel: 'y', name: words.registrations, color: token.colorPrimary }],
        }}
        interaction={{
          elementHighlight: false,
          tooltip: {
            css: {
              '.g2-tooltip': {
                background: token.colorBgElevated,
                color: token.colorText,
                border: `1px solid ${token.colorBorderSecondary}`,
                'border-radius': '12px',
                'font-family': fontFamily,
              },
              '.g2-tooltip-title': { color: token.colorText, 'font-weight': 600 },
              '.g2-tooltip-list-item-name-label': { color: token.colorTextSecondary },
              '.g2-tooltip-list-item-value': { color: token.colorText },
            },
          },
        }}
      />
    </div>
  );
}

function wholeTicks(min: number, max: number): number[] {
  const step = Math.max(1, Math.ceil((max - min) / 5));
  return Array.from({ length: Math.ceil((max - min) / step) + 1 }, (_, index) => min + index * step);
}
