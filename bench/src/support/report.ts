export const rate = (perSecond: number) => `${Math.round(perSecond).toLocaleString('en')}/s`;
export const milliseconds = (value: number) => `${value.toFixed(1)} ms`;
