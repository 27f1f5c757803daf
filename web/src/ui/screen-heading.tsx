import { type ReactNode, useEffect } from 'react';
import { useCommunity } from '../api/community';
import styles from './feedback.module.css';

interface ScreenHeadingProps {
  title: string;
  intro?: string;
  /** Controls of the whole screen. */
  children?: ReactNode;
}

export function ScreenHeading({ title, intro, children }: ScreenHeadingProps) {
  return (
    <div className={styles.heading}>
      <div>
        <h1>{title}</h1>
        {intro && <p>{intro}</p>}
      </div>
      {children && <div className={styles.controls}>{children}</div>}
    </div>
  );
}

/** Names the browser's tab after the screen and the community. */
export function usePageTitle(title?: string): void {
  const { name } = useCommunity();
  useEffect(() => {
    document.title = title ? `${title} · ${name}` : name;
  }, [title, name]);
}
