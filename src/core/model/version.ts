// The version that reports and commands give; a test keeps it equal to the package's.
export const galleyVersion = '0.1.0';
