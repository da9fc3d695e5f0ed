/** Be a cluster: the built-in controllers and the nodes beside the API server. */
export {};
