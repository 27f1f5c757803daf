/** Pixels, reserved while the chart loads so that nothing moves when it arrives. */
export const CHART_HEIGHT = 280;
