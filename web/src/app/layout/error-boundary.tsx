import { commonText } from '@meetmark/contracts/texts/common';
import { Button } from 'antd';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { EmptyState } from '../../ui/feedback';

interface ErrorBoundaryProps {
  /** Identifies the screen: a new value is a new attempt. */
  resetBy?: string;
  children: ReactNode;
}

interface ErrorBoundaryState {
  crashed: boolean;
  resetBy?: string;
}

/** Replaces a screen that crashed: the frame stays, and a reload or another screen helps. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { crashed: false, resetBy: this.props.resetBy };

  static getDerivedStateFromError = () => ({ crashed: true });

  // A `key` would remove the painted screen before the next one has arrived.
  static getDerivedStateFromProps = ({ resetBy }: ErrorBoundaryProps, state: ErrorBoundaryState) =>
    resetBy === state.resetBy ? null : { crashed: false, resetBy };

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack);
  }

  override render() {
    if (!this.state.crashed) return this.props.children;
    return (
      <EmptyState title={commonText.crashed} hint={commonText.crashedHint}>
        <Button type="primary" onClick={() => window.location.reload()}>
          {commonText.reload}
        </Button>
      </EmptyState>
    );
  }
}
