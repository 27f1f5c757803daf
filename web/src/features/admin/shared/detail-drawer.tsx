import type { ReactNode } from 'react';
import { Sheet } from '../../../ui/sheet';
import styles from './admin.module.css';

interface DetailDrawerProps {
  title: string;
  size: number;
  close: () => void;
  children: ReactNode;
}

export const DetailDrawer = ({ title, size, close, children }: DetailDrawerProps) => (
  <Sheet
    title={
      <span role="heading" aria-level={2} dir="auto">
        {title}
      </span>
    }
    size={size}
    close={close}
  >
    {() => children}
  </Sheet>
);

export type Fact = readonly [name: string, value: ReactNode];

export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={styles.facts}>
    {/* Keyed by position, because two questions may have the same text. */}
    {facts.map(([name, value], index) => (
      <div key={index}>
        <dt dir="auto">{name}</dt>
        <dd dir="auto">{value}</dd>
      </div>
    ))}
  </dl>
);
