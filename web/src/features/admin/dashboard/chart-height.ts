/** Pixels; kept free while the chart travels, so that nothing moves when it arrives. */
export const CHART_HEIGHT = 280;
