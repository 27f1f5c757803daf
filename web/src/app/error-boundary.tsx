import { Button } from 'antd';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { commonText } from '../strings/common';
import { EmptyState } from '../ui/feedback';

interface ErrorBoundaryProps {
  /** What shows it the next screen: another value is another attempt. */
  resetBy?: string;
  children: ReactNode;
}

interface ErrorBoundaryState {
  crashed: boolean;
  resetBy?: string;
}

/** What a screen that crashed leaves behind: the frame stays, and a reload or another screen helps. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { crashed: false, resetBy: this.props.resetBy };

  static getDerivedStateFromError = () => ({ crashed: true });

  // Not a `key`: that would take away what is painted before the next screen has arrived.
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
