import type { ReactNode } from 'react';

/** Replaces unused code (vite.config.ts): antd's UniqueProvider and Wave, and html2canvas. */
const PassThrough = ({ children }: { children: ReactNode }) => children;

export default PassThrough;
