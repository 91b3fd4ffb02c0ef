/** The version of the public interface: in its description, and on the sign-in of the dashboard. */
export const API_VERSION = "1.0.0";
