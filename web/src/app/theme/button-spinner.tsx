import styles from '../../ui/feedback.module.css';

interface ButtonSpinnerProps {
  prefixCls: string;
  loading?: unknown;
  existIcon?: boolean;
  className?: string;
}

/** Replaces antd's DefaultLoadingIcon (vite.config.ts), which would add animation and icons to every page. */
export default function ButtonSpinner({ prefixCls, loading, existIcon, className }: ButtonSpinnerProps) {
  if (!loading && !existIcon) return null;
  return (
    <span className={[`${prefixCls}-icon ${prefixCls}-loading-icon`, className].filter(Boolean).join(' ')}>
      <i className={styles.inButton} />
    </span>
  );
}
