import type { ReactNode } from 'react';

/**
 * Stands in for two parts of antd that no screen uses (see vite.config.ts): its UniqueProvider, for tooltips that share one popup, and
 * the Wave of a pressed button, which the theme turns off.
 */
const PassThrough = ({ children }: { children: ReactNode }) => children;

export default PassThrough;
