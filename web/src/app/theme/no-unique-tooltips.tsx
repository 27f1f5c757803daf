import type { ReactNode } from 'react';

/** Stands in for antd's UniqueProvider (see vite.config.ts): tooltips that share one popup, which no screen uses. */
const NoUniqueTooltips = ({ children }: { children: ReactNode }) => children;

export default NoUniqueTooltips;
